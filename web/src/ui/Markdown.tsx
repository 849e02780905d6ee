// Memory text as Markdown: elements only, no HTML, no images, no links that a press would follow unseen.
import { marked, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";

const MAX = 60_000;

/** Renders text as Markdown. Raw HTML is shown as it was written, images as their description and address. */
export function Markdown({ text }: { text: string }) {
  if (text.length > MAX) return <div className="prose plain">{text}</div>;
  return <div className="prose">{blocks(marked.lexer(text, { gfm: true, breaks: true }))}</div>;
}

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{block(token)}</Fragment>);
}

function block(token: Token): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return <p className="prose-heading">{inline((token as Tokens.Heading).tokens)}</p>;
    case "paragraph":
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>;
    case "code":
      return <pre><code>{(token as Tokens.Code).text}</code></pre>;
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>;
    case "hr":
      return <hr />;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "text":
      return "tokens" in token && token.tokens ? inline(token.tokens) : plain(token as Tokens.Text);
    default:
      return <p className="plain">{token.raw}</p>;
  }
}

function list(token: Tokens.List): ReactNode {
  const items = token.items.map((item, index) => (
    <li key={index}>{item.task ? (item.checked ? "☑ " : "☐ ") : null}{blocks(item.tokens)}</li>
  ));
  return token.ordered ? <ol start={token.start === "" ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table): ReactNode {
  return (
    <div className="table-scroll">
      <table>
        <thead><tr>{token.header.map((cell, index) => <th key={index}>{inline(cell.tokens)}</th>)}</tr></thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map((cell, at) => <td key={at}>{inline(cell.tokens)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{span(token)}</Fragment>);
}

function span(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline((token as Tokens.Strong).tokens)}</strong>;
    case "em":
      return <em>{inline((token as Tokens.Em).tokens)}</em>;
    case "del":
      return <del>{inline((token as Tokens.Del).tokens)}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(token as Tokens.Link);
    case "image":
      return <span className="image-note">[image: {(token as Tokens.Image).text || "without description"}, {(token as Tokens.Image).href}]</span>;
    case "text":
    case "escape":
      return "tokens" in token && token.tokens ? inline(token.tokens) : plain(token as Tokens.Text);
    default:
      return token.raw;
  }
}

/** Returns what a link says and where it points, as text: what is remembered never leads elsewhere by a press. */
function link(token: Tokens.Link): ReactNode {
  const said = inline(token.tokens);
  return token.text === token.href || `mailto:${token.text}` === token.href ? <span className="address">{said}</span>
    : <>{said} <span className="address">({token.href})</span></>;
}

function plain(token: Tokens.Text | Tokens.Escape): string {
  return token.text;
}
