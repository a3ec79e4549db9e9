import { Registry } from 'prom-client';

/**
 * The metrics that this operator serves. Register custom metrics here; prom-client's global registry is not served.
 *
 * @example
 * const restored = new Counter({ name: 'backups_restored_total', help: 'Backups restored', registers: [metricsRegistry] });
 */
export const metricsRegistry = new Registry();
