// Who belongs to the team, in which role.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Trash2, UserPlus, Users } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { useMay, useSession } from "@/app/session";
import { actorName } from "@/memory/who";
import { useAct } from "@/memory/useAct";
import { Button, IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Page } from "@/ui/Page";
import { KeysSection } from "./KeysSection";
import { Empty, Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";

type Member = components["schemas"]["Member"];
const ROLES: Record<Member["role"], string> = {
  owner: "Owner: also audit, projects and checks", admin: "Admin: also what others own", member: "Member: their own and the team's",
  service: "Service: a program; decides nothing",
};

const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/members", { signal }))).members.filter(({ removed_at }) => removed_at === null),
});

export function MembersPage() {
  const manages = useMay()("manage");
  const found = useQuery({ ...membersQuery, enabled: manages });
  if (!manages) return <Page title="Members and keys"><Empty title="Owners and admins see this" icon={Users}><p>Ask one of them for another role, or for a key.</p></Empty></Page>;
  return (
    <Page title="Members and keys" about="Who may come in, and what they may do.">
      <AddMember />
      {found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} /> : !found.data ? <Loading rows={3} />
        : found.data.length === 0 ? <Empty title="Only you" icon={Users}><p>This memory has no members yet: it is yours alone. The first one that you add should be yourself, as owner.</p></Empty>
          : (
            <div className="table-scroll"><table className="table members">
              <thead><tr><th>Name</th><th>Role</th><th>Since</th><th>Added by</th><th><span className="unseen">Remove</span></th></tr></thead>
              <tbody>{found.data.map((member) => <MemberRow key={member.user} member={member} />)}</tbody>
            </table></div>
          )}
      <KeysSection />
    </Page>
  );
}

function AddMember() {
  const act = useAct(["members"], { memories: false });
  const [user, setUser] = useState("");
  const [role, setRole] = useState<Member["role"]>("member");
  return (
    <form className="row add-member" onSubmit={(event) => {
      event.preventDefault();
      act.mutate({ does: () => unwrap(api.POST("/v1/members", { body: { user: user.trim(), role } })), message: `${user} is a ${role} now.` }, { onSuccess: () => setUser("") });
    }}>
      <label>Name<input value={user} onChange={(event) => setUser(event.target.value)} autoComplete="off" /></label>
      <RoleSelect aria-label="Role" value={role} onChange={setRole} />
      <Button type="submit" icon={UserPlus} disabled={user.trim() === "" || act.isPending}>Add</Button>
    </form>
  );
}

function RoleSelect({ value, onChange, ...rest }: { value: Member["role"]; onChange: (role: Member["role"]) => void; "aria-label"?: string; disabled?: boolean }) {
  return <select value={value} onChange={(event) => onChange(event.target.value as Member["role"])} {...rest}>{Object.entries(ROLES).map(([role, label]) => <option key={role} value={role}>{label}</option>)}</select>;
}

function MemberRow({ member }: { member: Member }) {
  const act = useAct(["members"], { memories: false });
  const { user: me } = useSession();
  const [asking, setAsking] = useState(false);
  const path = { params: { path: { user: member.user } } };
  return (
    <tr>
      <td><strong>{member.user}</strong>{member.user === me && <span className="faint"> (you)</span>}</td>
      <td><RoleSelect aria-label={`Role of ${member.user}`} value={member.role} disabled={act.isPending} onChange={(role) => act.mutate({ does: () => unwrap(api.PATCH("/v1/members/{user}", { ...path, body: { role } })), message: `${member.user} is ${role} from now on.` })} /></td>
      <td><Time at={member.added_at} /></td>
      <td>{actorName(member.added_by, me)}</td>
      <td className="number"><IconButton label={`Remove ${member.user}`} icon={Trash2} onClick={() => setAsking(true)} />
        {asking && (
          <Confirm title={`Remove ${member.user}?`} act="Remove" onClose={() => setAsking(false)} onConfirm={() => act.mutateAsync({ does: () => unwrap(api.DELETE("/v1/members/{user}", path)), message: `${member.user} was removed.` })}>
            <p>They have no access from the next request on, with any credential. Their memories stay. They can be added again.</p>
          </Confirm>
        )}
      </td>
    </tr>
  );
}
