/** The small HTTP servers of an operator: health probes and metrics. The HTTPS server is loaded on demand. */
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
