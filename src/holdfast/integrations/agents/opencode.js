// Holdfast for OpenCode: gives the agent what is remembered. Written by `holdfast agents install opencode`.
import { spawn } from "node:child_process"

const COMMAND = ["holdfast", "hook", "opencode"]
const OPTIONS = []
const MILLISECONDS = 1000 + 1000 * (Number(process.env.HOLDFAST_HOOK_SECONDS) || 1)
const FILE_TOOLS = new Set(["read", "edit", "write", "patch", "multiedit"])

// Answers an event, or says nothing: whatever goes wrong, and in time.
function ask(event, payload) {
  return new Promise((resolve) => {
    let output = ""
    try {
      const [program, ...rest] = [...COMMAND, event, ...OPTIONS]
      const child = spawn(program, rest, { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => child.kill(), MILLISECONDS)
      const done = (text) => {
        clearTimeout(timer)
        resolve(text)
      }
      child.on("error", () => done(""))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (part) => (output += part))
      child.on("close", () => {
        try {
          done(output ? (JSON.parse(output).context ?? "") : "")
        } catch {
          done("")
        }
      })
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve("")
    }
  })
}

export const Holdfast = async ({ directory }) => {
  const contexts = new Map() // the texts of each session, which OpenCode sends with every request

  const add = async (event, session, more) => {
    const text = await ask(event, { session_id: session, cwd: directory, ...more })
    if (text) contexts.set(session, [...(contexts.get(session) ?? []), text])
  }

  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID
      if (!contexts.has(session)) {
        contexts.set(session, [])
        await add("start", session, {})
      }
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      await add("prompt", session, { prompt: prompt.join("\n") })
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of contexts.get(input.sessionID) ?? []) output.system.push(text)
    },
    "tool.execute.after": async (input, output) => {
      const file = FILE_TOOLS.has(input.tool)
      if (!file && !(input.tool === "bash" && output.metadata?.exit)) return
      const failed = { tool_input: input.args, error: output.output }
      const text = await ask(file ? "file" : "failure", { session_id: input.sessionID, cwd: directory, ...failed })
      if (text) output.output += `\n\n${text}`
    },
    "experimental.session.compacting": async (input) => {
      contexts.delete(input.sessionID)
      await ask("compact", { session_id: input.sessionID, cwd: directory })
    },
  }
}
