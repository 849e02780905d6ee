"""For tests of Holdfast and of what is built on it: the oracle store, corpora, fakes."""
