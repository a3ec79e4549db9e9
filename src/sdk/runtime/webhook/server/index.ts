/** The HTTPS server for admission and conversion reviews. Loaded by managers that have something to serve. */
export { serveWebhooks, type WebhookServer, type WebhookServerOptions } from './serve-webhooks.ts';
