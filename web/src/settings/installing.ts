// The command that sets an agent up for this service.

/** Returns whether the service runs on the machine of the browser, where commands open the store directly. */
export function isOnThisMachine(hostname: string = location.hostname): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

/** Returns the command for an agent: of a service elsewhere, with its address and the file with a key. */
export function installing(client: string, { origin, hostname }: { origin: string; hostname: string } = location): string {
  const command = `holdfast mcp install ${client}`;
  return isOnThisMachine(hostname) ? command : `${command} --url ${origin} --api-key-file KEY-FILE`;
}
