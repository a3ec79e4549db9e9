import { Registry } from 'prom-client';

/**
 * Registry of the metrics that this operator serves. Register custom metrics in this registry, because prom-client's global registry is not
 * served.
 *
 * @example
 * const restored = new Counter({ name: 'backups_restored_total', help: 'Backups restored', registers: [metricsRegistry] });
 */
export const metricsRegistry = new Registry();
