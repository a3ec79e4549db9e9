export type { AdmissionOperation, AdmissionRequest } from './admission-request.ts';
export type { SelfSignedOptions } from './self-signed/options.ts';
export type { SelfSignedSettings } from './self-signed/settings.ts';
export {
  defineWebhook,
  type AdmissionContext,
  type AdmissionSettings,
  type AnyWebhook,
  type FieldError,
  type Submitted,
  type Validated,
  type Webhook,
  type WebhookOptions,
} from './define-webhook.ts';
