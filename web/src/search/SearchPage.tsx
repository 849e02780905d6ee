// Search as you type; without a question, everything newest first.
import { counted } from "@/ui/counted";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search as SearchIcon, X } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { OUTSIDE, place } from "@/api/place";
import { listOf } from "@/app/search";
import { projectName } from "@/app/ProjectSwitcher";
import { useMay } from "@/app/session";
import { IconButton } from "@/ui/Button";
import { Failed, Loading } from "@/ui/States";
import { useDebounced } from "@/ui/useDebounced";
import { Filters } from "./Filters";
import { facetsQuery, recallQuery } from "./queries";
import { LEAST } from "./grouping";
import { originsOf } from "./trust";

const Browse = lazy(() => import("./Browse").then((module) => ({ default: module.Browse })));
const Results = lazy(() => import("./Results").then((module) => ({ default: module.Results })));
const Welcome = lazy(() => import("./Welcome").then((module) => ({ default: module.Welcome })));

/** Hits of a first answer, which comes while somebody types, and of one that more was asked for of. */
const FIRST = 20;
const MORE = 60;
const NEAR = 10;
/** How long an answer may keep a newer question waiting. */
const PATIENCE_MS = 120;

export function SearchPage() {
  const search = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const [typed, setTyped] = useState(search.q ?? "");
  const wanted = typed.trim();
  const [query, setQuery] = useState(wanted);
  const [limit, setLimit] = useState(FIRST);
  const rested = useDebounced(wanted, PATIENCE_MS);
  const written = useDebounced(query, 400);
  const { q } = search;
  useEffect(() => {
    if (written !== (q ?? "")) void navigate({ search: (before) => ({ ...before, q: written || undefined }), replace: true });
    // follows what is typed, not the address
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [written]);
  const [seen, setSeen] = useState(q);
  if (seen !== q) {
    // the address was changed by a link or the back button
    setSeen(q);
    if ((q ?? "") !== written && (q ?? "") !== query) setTyped(q ?? "");
  }
  const narrowed = useMemo(() => ({
    ...place(search.project),
    ...(search.kinds !== undefined && { kinds: listOf(search.kinds) }),
    ...originsOf(search.trust, search.origins),
    ...(search.owner !== undefined && { owner: search.owner }),
    ...(search.status !== undefined && { status: listOf(search.status) }),
    ...(search.since !== undefined && { since: search.since }),
    ...(search.until !== undefined && { until: search.until }),
  }), [search.project, search.kinds, search.origins, search.trust, search.owner, search.status, search.since, search.until]);
  const counting = useQuery(facetsQuery(narrowed));
  const facets = counting.data;
  const isNarrowed = Object.keys(narrowed).some((name) => name !== "project");
  const found = useQuery({
    ...recallQuery({ ...narrowed, query, limit, near: NEAR, min_confidence: LEAST, ...(search.flagged === "no" && { flagged: false }), ...(search.asof !== undefined && { as_of: search.asof }) }),
    enabled: query !== "",
  });
  // one question at a time: what is typed meanwhile is asked as soon as the answer is there, or takes long
  if (query !== wanted && (wanted === "" || !found.isFetching || rested === wanted)) {
    setQuery(wanted);
    setLimit(FIRST);
  }
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // whoever comes to ask can type at once, and who comes to a list can use its keys; on a screen that is touched, the keyboard would cover it
    if (search.q === undefined && search.memory === undefined && !isNarrowed && matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
    // only when the page is opened
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const more = useCallback(() => setLimit(MORE), []);
  const [selecting, setSelecting] = useState(false);
  const may = useMay();
  const first = facets?.total === 0 && !counting.isPlaceholderData && query === "" && !isNarrowed;
  return (
    <>
      <header className="page-head search-head">
        <h1 className="unseen">Search</h1>
        <div className="search-line">
          <div className="search-box">
            <SearchIcon size={17} aria-hidden />
            <input
              ref={box} type="search" aria-label="Search memories" placeholder={`Ask or search ${search.project === undefined ? "everything" : projectName(search.project)}`}
              value={typed} onChange={(event) => setTyped(event.target.value)} spellCheck={false} autoComplete="off" enterKeyHint="search"
              onKeyDown={(event) => {
                if (event.key === "ArrowDown") document.querySelector<HTMLElement>("#page [data-step]")?.focus();
                if (event.key !== "Escape") return;
                if (typed === "") document.getElementById("page")?.focus({ preventScroll: true });
                setTyped("");
              }}
            />
            {typed !== "" && <IconButton label="Clear the search" icon={X} onClick={() => setTyped("")} />}
            <kbd aria-hidden>/</kbd>
          </div>
          {may("write") && !first && <button type="button" className="chip" aria-pressed={selecting} onClick={() => setSelecting(!selecting)}>Select</button>}
        </div>
        <div className="row spread">
          <Filters searching={query !== ""} facets={facets} />
          <p className="page-count" role="status">
            {query === "" ? facets !== undefined && !counting.isPlaceholderData && counted(facets.total, "memory")
              : found.data && `${found.data.hits.length === limit ? `The best ${limit}` : counted(found.data.hits.length, "hit")} of ${counted(found.data.searched, "memory")}`}
          </p>
        </div>
      </header>
      <Suspense fallback={<Loading rows={8} />}>
        {first ? <Welcome project={search.project} />
          : query === "" ? <Browse listed={narrowed} selecting={selecting} onSelecting={setSelecting} />
            : (
              <div className={found.isPlaceholderData ? "scroller waiting" : "scroller"}>
                {found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
                  : found.data ? <Results filtered={Object.keys(narrowed).length > (search.project === OUTSIDE ? 0 : 1)} elsewhere={search.project !== undefined} found={found.data} query={found.data.query} selecting={selecting} onSelecting={setSelecting} onMore={limit === FIRST && found.data.hits.length === FIRST ? more : undefined} /> : <Loading />}
              </div>
            )}
      </Suspense>
    </>
  );
}
