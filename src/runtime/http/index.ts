/** The small HTTP servers of an operator: health probes and metrics. */
export { parseListenAddress, type ListenAddress } from './listen-address.ts';
export { servePlain, type Answer, type Answerer, type PlainServer } from './plain-server.ts';
export { HealthChecks, type HealthCheck, type HealthReport } from './health-checks.ts';
