/**
 * Everything about talking to servers that knows neither Kubernetes nor registries: proxies and tunnels, waiting, giving up and
 * trying again, downloads, and what must not be said. A leaf: it imports `errors` only. Ships inside operators.
 */
export { createRedactor, redactValue, renewedSecret, secrets, type Redactor } from './redact.ts';
