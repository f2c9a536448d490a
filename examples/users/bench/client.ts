// What the figures share: users, tokens, and the end of a process.
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

export const password = 'correct horse'
export const json = { 'content-type': 'application/json' }

export async function create(origin: string, username: string): Promise<number> {
  const body = JSON.stringify({ username, password })
  const response = await fetch(`${origin}/users`, { method: 'POST', headers: json, body })
  const answer = (await response.json()) as { data?: { insertId: number } }
  if (response.status !== 201) throw new Error(String(response.status))
  return answer.data!.insertId
}

/** Logs in and returns the request headers that carry the token. */
export async function login(origin: string, username: string): Promise<{ authorization: string }> {
  const body = JSON.stringify({ username, password })
  const response = await fetch(`${origin}/users/login`, { method: 'POST', headers: json, body })
  return { authorization: `Bearer ${((await response.json()) as { jwt: string }).jwt}` }
}

export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Resident memory of a process in MB. */
export const memoryOf = (child: ChildProcess): number =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024,
  )

/** Processor time of a process in seconds: unlike response times, it doesn't depend on what else runs. */
export function processorTimeOf(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export const count = (outcomes: Map<string, number>, outcome: string): void =>
  void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
