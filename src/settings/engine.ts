// Sets how the engine keeps house in a process that stays for days. By itself it lets garbage grow to twice what is in use, on top of that,
// before it collects: here to 0.6 times. And its last compiler, which makes the most of loops that run for long, takes more memory and time
// than it saves. Decision 43 has the figures. Bun reads them when it starts, and ends at once when it does not know a name: an update that
// drops one shows in every test of the daemon.

export const sparingEngine = { BUN_JSC_heapGrowthMaxIncrease: "0.6", BUN_JSC_useFTLJIT: "0" };
