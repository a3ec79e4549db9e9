/** The small HTTP servers of an operator, for health probes and metrics. The module of the HTTPS server is loaded on demand. */
export {
  servePlain,
  type Answer,
  type Answerer,
  type RunningServer,
  type ServedRequest,
  HealthChecks,
  type HealthCheck,
  type HealthReport,
} from './serve.ts';
