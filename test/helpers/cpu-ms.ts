/** Returns the CPU time since a start (`process.cpuUsage()`), which a busy machine does not prolong. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}
