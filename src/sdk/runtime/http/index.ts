/** The small HTTP servers of an operator: health probes and metrics. The one for HTTPS is loaded when it is needed. */
export { servePlain } from './plain-server.ts';
export type { Answer, Answerer, RunningServer, ServedRequest } from './serve.ts';
export { HealthChecks, type HealthCheck, type HealthReport } from './health-checks.ts';
