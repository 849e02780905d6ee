// The frame of a page that is not a list: heading, acts, content that scrolls.
import type { ReactNode } from "react";

interface Props {
  title: string;
  about?: ReactNode;
  acts?: ReactNode;
  /** Below the heading, above what scrolls. */
  tools?: ReactNode;
  children: ReactNode;
}

export function Page({ title, about, acts, tools, children }: Props) {
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          <p className="grow">{about}</p>
          {acts}
        </div>
        {tools}
      </header>
      {/* what scrolls must be reachable without a pointer */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="scroller" tabIndex={0} role="group" aria-label={title}><div className="body">{children}</div></div>
    </>
  );
}
