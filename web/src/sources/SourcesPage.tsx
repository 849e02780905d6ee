// Where memories come from: imports, folders, described files; and the work that is done in the background.
import { useQuery } from "@tanstack/react-query";
import { useMay } from "@/app/session";
import { Page } from "@/ui/Page";
import { Failed, Loading } from "@/ui/States";
import { CopyLine } from "@/ui/Copy";
import { DescribedSection } from "./DescribedSection";
import { FolderRow } from "./FolderRow";
import { ImportBox } from "./ImportBox";
import { JobRow } from "./JobRow";
import { foldersQuery, jobsQuery, sourcesQuery } from "./queries";
import { SourceRow } from "./SourceRow";

export function SourcesPage() {
  const sources = useQuery(sourcesQuery);
  const folders = useQuery(foldersQuery);
  const jobs = useQuery(jobsQuery);
  const may = useMay();
  return (
    <Page title="Sources and jobs" about="What was brought in, what is indexed and described, and what is being done.">
      {may("imports") && may("write") && <ImportBox />}
      <h2 className="section-title">Imports</h2>
      {sources.error ? <Failed cause={sources.error} /> : !sources.data ? <Loading rows={2} />
        : sources.data.length === 0 ? <p className="faint">Nothing was imported yet.</p>
          : <ul className="lines" aria-label="Imports">{sources.data.map((source) => <li key={source.id} className="line"><SourceRow source={source} /></li>)}</ul>}
      <h2 className="section-title">Folders</h2>
      {folders.error ? <Failed cause={folders.error} /> : !folders.data ? <Loading rows={2} />
        : folders.data.length === 0 ? <><p className="faint">No folder is indexed. Code and documents of a folder are found with everything else:</p><CopyLine text="holdfast folders add ~/src/shop --project shop" /></>
          : <ul className="lines" aria-label="Folders">{folders.data.map((folder) => <li key={folder.id} className="line"><FolderRow folder={folder} /></li>)}</ul>}
      <DescribedSection />
      <h2 className="section-title">Jobs</h2>
      {jobs.error ? <Failed cause={jobs.error} /> : !jobs.data ? <Loading rows={2} />
        : jobs.data.length === 0 ? <p className="faint">Nothing is being done, and nothing was.</p>
          : <ul className="lines" aria-label="Jobs">{jobs.data.map((job) => <li key={job.id} className="line"><JobRow job={job} /></li>)}</ul>}
    </Page>
  );
}
