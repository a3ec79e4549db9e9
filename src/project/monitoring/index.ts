/**
 * Monitoring of an operator: alerts for Prometheus and a dashboard for Grafana, from the metrics that the operator serves. Alerts, panels
 * and settings are parts that users edit: a further run updates the parts without edits and leaves the others.
 */
export { hasMonitoring, planMonitoring, type PlannedMonitoring } from './plan-monitoring.ts';
