/**
 * Monitoring of an operator: alerts for Prometheus and a dashboard for Grafana, from the metrics that the operator serves. Users may edit
 * alerts, panels and settings. A further run updates the parts without edits, and keeps the edited ones.
 */
export { hasMonitoring, planMonitoring, type PlannedMonitoring } from './plan-monitoring.ts';
