// Lists the tools of a server and calls some of them, as one client: the one of the inspector, whose command makes a
// client, and a process, of each call. Standard input: {"url": …} or {"command": …, "args": […]}, with "calls".
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { url, command, args, calls } = JSON.parse(readFileSync(0, "utf8"));
const client = new Client({ name: "tests", version: "1" });
await client.connect(
  url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args, env: process.env }),
);
const { tools } = await client.listTools();
const answers = {};
for (const [name, given] of calls) answers[name] = await client.callTool({ name, arguments: given });
await client.close();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), answers }));
