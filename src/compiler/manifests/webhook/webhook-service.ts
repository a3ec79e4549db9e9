/** The Service of an operator's webhooks in config/webhook, before kustomize gives it the names of the project. */
export const webhookService = { name: 'webhook-service', namespace: 'system' } as const;
