"""Grammars: which nodes of each language define something, their names, and the nodes around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_LONGEST = 120
"""Most characters of a name."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A node type that defines something: its kind, the keyword of its title, the field with members."""

    kind: str
    keyword: str
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Grammar:
    """The relevant parts of a language's syntax tree.

    `wrappers` map nodes around a definition to the field with the definition ("" for a child without a
    field); `leading` are nodes that belong to the next one.
    """

    module: str
    function: str
    rules: Mapping[str, Rule]
    leading: frozenset[str]
    wrappers: Mapping[str, str]
    name_of: Callable[[Node], str]

    def kind_of(self, node: Node, rule: Rule) -> str:
        """Returns the kind of a definition: a constant whose value is a function is a function."""
        if node.type not in ("lexical_declaration", "variable_declaration"):
            return rule.kind
        values = (child.child_by_field_name("value") for child in node.named_children)
        holds_one = any(value is not None and value.type in _FUNCTIONS for value in values)
        return "function" if holds_one else rule.kind

    def defines(self, type: str) -> bool:
        """Returns whether a node of this type is a definition or a wrapper of one."""
        return type in self.rules or type in self.wrappers


def _text(node: Node | None) -> str:
    if node is None or node.text is None:
        return ""
    return " ".join(node.text[: 4 * _LONGEST].decode("utf-8", "replace").split())[:_LONGEST]


def _name(node: Node) -> str:
    return _text(node.child_by_field_name("name"))


def _python(node: Node) -> str:
    if node.type == "assignment":
        target = node.child_by_field_name("left")
        return _text(target) if target is not None and target.type == "identifier" else ""
    return _name(node)


_FUNCTIONS = ("arrow_function", "function_expression", "generator_function", "class")


def _script(node: Node) -> str:
    """Returns the name of a definition in JavaScript or TypeScript, empty if it has none."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        first = next((child for child in node.named_children if child.type == "variable_declarator"), None)
        name = first.child_by_field_name("name") if first is not None else None
        return _text(name) if name is not None and name.type == "identifier" else ""
    if node.type == "assignment_expression":
        value = node.child_by_field_name("right")
        is_function = value is not None and value.type in _FUNCTIONS
        return _text(node.child_by_field_name("left")) if is_function else ""
    if node.type in ("field_definition", "public_field_definition"):
        value = node.child_by_field_name("value")
        named = node.child_by_field_name("property") or node.child_by_field_name("name")
        return _text(named) if value is not None and value.type in _FUNCTIONS else ""
    if node.type == "call_expression":  # describe("…"), test("…"): how tests are named
        called, call_arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if _text(called) not in ("describe", "it", "test", "suite") or call_arguments is None:
            return ""
        first = next(iter(call_arguments.named_children), None)
        return _text(first).strip("\"'`") if first is not None and "string" in first.type else ""
    if node.type == "export_statement":
        return "default"
    return _name(node)


def _go(node: Node) -> str:
    """Returns the name of a Go declaration, with its receiver."""
    if node.type == "method_declaration":
        receiver = _text(node.child_by_field_name("receiver")).strip("()").split()
        kind = receiver[-1].lstrip("*").partition("[")[0] if receiver else ""
        return f"{kind}.{_name(node)}" if kind else _name(node)
    if node.type in ("type_declaration", "const_declaration", "var_declaration"):
        specs = (child for child in node.named_children if child.type.endswith(("_spec", "_alias")))
        return next((name for spec in specs if (name := _name(spec))), "")
    return _name(node)


def _rust(node: Node) -> str:
    if node.type == "impl_item":
        return _text(node.child_by_field_name("type")).partition("<")[0]
    return _name(node)


_CLASSES = ("class", "interface", "enum", "record")

GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        "tree_sitter_python",
        "language",
        {
            "function_definition": Rule("function", "def"),
            "class_definition": Rule("class", "class", "body"),
            "assignment": Rule("constant", "name"),
        },
        frozenset(("comment",)),
        {"decorated_definition": "definition", "expression_statement": ""},
        _python,
    ),
    "go": Grammar(
        "tree_sitter_go",
        "language",
        {
            "function_declaration": Rule("function", "func"),
            "method_declaration": Rule("method", "func"),
            "type_declaration": Rule("type", "type"),
            "const_declaration": Rule("constant", "const"),
            "var_declaration": Rule("variable", "var"),
        },
        frozenset(("comment",)),
        {},
        _go,
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        "language",
        {
            "function_item": Rule("function", "fn"),
            "function_signature_item": Rule("function", "fn"),
            "struct_item": Rule("struct", "struct"),
            "enum_item": Rule("enum", "enum"),
            "union_item": Rule("union", "union"),
            "trait_item": Rule("trait", "trait", "body"),
            "impl_item": Rule("impl", "impl", "body"),
            "mod_item": Rule("module", "mod", "body"),
            "macro_definition": Rule("macro", "macro"),
            "const_item": Rule("constant", "const"),
            "static_item": Rule("constant", "static"),
            "type_item": Rule("type", "type"),
        },
        frozenset(("line_comment", "block_comment", "attribute_item")),
        {},
        _rust,
    ),
    "java": Grammar(
        "tree_sitter_java",
        "language",
        {f"{kind}_declaration": Rule(kind, kind, "body") for kind in _CLASSES}
        | {
            "annotation_type_declaration": Rule("annotation", "@interface"),
            "method_declaration": Rule("method", "method"),
            "constructor_declaration": Rule("method", "constructor"),
            "compact_constructor_declaration": Rule("method", "constructor"),
        },
        frozenset(("line_comment", "block_comment")),
        {"enum_body_declarations": ""},
        _name,
    ),
}


def _scripts() -> None:
    """Adds the rules for JavaScript and TypeScript."""
    rules: dict[str, Rule] = {
        "function_declaration": Rule("function", "function"),
        "generator_function_declaration": Rule("function", "function"),
        "class_declaration": Rule("class", "class", "body"),
        "abstract_class_declaration": Rule("class", "class", "body"),
        "method_definition": Rule("method", "method"),
        "field_definition": Rule("method", "method"),
        "public_field_definition": Rule("method", "method"),
        "lexical_declaration": Rule("constant", "const"),
        "variable_declaration": Rule("variable", "var"),
        "assignment_expression": Rule("function", "function"),
        "call_expression": Rule("test", "test"),
        "interface_declaration": Rule("interface", "interface"),
        "type_alias_declaration": Rule("type", "type"),
        "enum_declaration": Rule("enum", "enum"),
        "function_signature": Rule("function", "function"),
        "internal_module": Rule("module", "namespace", "body"),
        "module": Rule("module", "module", "body"),
    }
    wrappers = {"export_statement": "declaration", "expression_statement": "", "ambient_declaration": ""}
    leading = frozenset(("comment", "decorator"))
    for name, module, function in (
        ("javascript", "tree_sitter_javascript", "language"),
        ("typescript", "tree_sitter_typescript", "language_typescript"),
        ("tsx", "tree_sitter_typescript", "language_tsx"),
    ):
        GRAMMARS[name] = Grammar(module, function, rules, leading, wrappers, _script)


_scripts()


def loaded(language: str) -> Language:
    """Returns the loaded grammar of a language. Raises ModuleNotFoundError without the extra `code`."""
    from tree_sitter import Language

    grammar = GRAMMARS[language]
    module: Any = import_module(grammar.module)
    return Language(getattr(module, grammar.function)())
