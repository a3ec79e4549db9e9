export type { AdmissionOperation, AdmissionRequest } from './admission-request.ts';
export type { SelfSignedOptions } from './self-signed/options.ts';
export type { SelfSignedSettings } from './self-signed/settings.ts';
export { defineWebhook } from './define-webhook.ts';
export type {
  AdmissionContext,
  AdmissionSettings,
  AnyWebhook,
  FieldError,
  Submitted,
  Validated,
  Webhook,
  WebhookOptions,
} from './webhook.ts';
