// Who was given a memory: the sessions of agents and people, the last first.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Memory } from "@/api/types";
import { useSession } from "@/app/session";
import { Failed } from "@/ui/States";
import { Time } from "@/ui/Time";
import { deliveriesQuery } from "./queries";
import { ConversationLink } from "./Relations";
import { actorName, titleOf } from "./who";

export function Deliveries({ memory }: { memory: Memory }) {
  const found = useQuery(deliveriesQuery(memory.id));
  const { user } = useSession();
  if (found.error) return <Failed cause={found.error} />;
  if (!found.data || found.data.length === 0) return null;
  return (
    <details className="section" open>
      <summary>Given to<span className="count">{found.data.length}</span></summary>
      <ol className="history">
        {found.data.map((each, index) => (
          <li key={index} className="history-line">
            <strong>{actorName(each.actor, user ?? memory.owner)}</strong>
            {each.session === null ? "in a working session" : <>in <ConversationLink session={each.session} /></>}
            <Time at={each.at} />
          </li>
        ))}
      </ol>
      <p className="hint"><Link to="/context" search={{ task: (titleOf(memory) ?? memory.text).slice(0, 200), ...(memory.project !== null && { project: memory.project }) }}>What would an agent get now?</Link></p>
    </details>
  );
}
