"""Evaluation anyone can repeat: labelled questions asked through the public interface, and what came back."""

from __future__ import annotations

from holdfast.evaluation.beam import load_beam
from holdfast.evaluation.codesearch import load_codesearch
from holdfast.evaluation.corpus import Corpus, Question
from holdfast.evaluation.locomo import load_locomo
from holdfast.evaluation.metrics import Answer, Figures, figures
from holdfast.evaluation.own import load_own
from holdfast.evaluation.run import MODES, Report, evaluate

__all__ = [
    "MODES", "Answer", "Corpus", "Figures", "Question", "Report", "evaluate", "figures", "load_beam",
    "load_codesearch", "load_locomo", "load_own",
]  # fmt: skip
