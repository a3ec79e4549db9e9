export type {
  AdmissionOperation,
  AdmissionRequest,
  AdmissionContext,
  AdmissionSettings,
  AnyWebhook,
  FieldError,
  Submitted,
  Validated,
  Webhook,
  WebhookOptions,
} from './webhook.ts';
export type { SelfSignedOptions, SelfSignedSettings } from './self-signed/settings.ts';
export { defineWebhook } from './define-webhook.ts';
