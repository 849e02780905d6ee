"""Evaluation anyone can repeat: labelled questions asked through the public interface, and what came back."""

from __future__ import annotations

from tools.evaluation.corpus import Corpus, Question
from tools.evaluation.metrics import Answer, Figures, figures
from tools.evaluation.run import MODES, Report, evaluate
from tools.evaluation.sets.beam import load_beam
from tools.evaluation.sets.codesearch import load_codesearch
from tools.evaluation.sets.collection import load_collection
from tools.evaluation.sets.locomo import load_locomo
from tools.evaluation.sets.own import load_own

__all__ = [
    "MODES", "Answer", "Corpus", "Figures", "Question", "Report", "evaluate", "figures", "load_beam",
    "load_codesearch", "load_collection", "load_locomo", "load_own",
]  # fmt: skip
