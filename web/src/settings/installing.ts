// The command that sets an agent up for this service.

/** Returns whether the service runs on the machine of the browser, where commands open the store directly. */
export function isOnThisMachine(hostname: string = location.hostname): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

/** Returns the command for an agent: hooks and the MCP server for a service on this machine; for one elsewhere the MCP server, with the
 * address and the file with a key. */
export function installing(client: string, { origin, hostname }: { origin: string; hostname: string } = location): string {
  if (isOnThisMachine(hostname)) return `holdfast agents install ${client}`;
  return `holdfast mcp install ${client} --url ${origin} --api-key-file KEY-FILE`;
}
