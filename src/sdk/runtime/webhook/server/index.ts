/** The HTTPS server for admission and conversion reviews. Managers load this module only if they have webhooks or conversions. */
export { serveWebhooks, type WebhookServer, type WebhookServerOptions } from './serve-webhooks.ts';
