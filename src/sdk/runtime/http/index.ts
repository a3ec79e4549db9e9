/** The small HTTP servers of an operator: health probes and metrics. The one for HTTPS is loaded when it is needed. */
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
