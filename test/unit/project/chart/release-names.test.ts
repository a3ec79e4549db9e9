import { describe, expect, test } from 'vitest';
import { ReleaseNames } from '../../../../src/project/chart/release-names.ts';
import { helmText, optional } from '../../../../src/project/chart/template-text.ts';

const full = '{{ include "web.fullname" . }}';

function namesIn(namespace: string): ReleaseNames {
  const objects = ['web', 'web-webhook', 'web-webhook-service', 'other'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
  }));
  return new ReleaseNames(objects, { chart: 'web', operator: 'web', namespace });
}

function textOf(tree: unknown, namespace = 'web-system'): string {
  return helmText(namesIn(namespace).in(tree));
}

describe('names of a release', () => {
  test('stand where whole names were, the longest first', () => {
    expect(textOf({ a: 'web-webhook-service', b: 'web-webhook' })).toBe(
      `a: ${full}-webhook-service\nb: ${full}-webhook`,
    );
    expect(textOf({ a: 'my-web-webhook', b: 'web-webhooks', c: 'web', d: 'other' })).toBe(
      'a: my-web-webhook\nb: web-webhooks\nc: web\nd: other',
    );
  });

  test('are found in addresses and expressions', () => {
    expect(textOf({ a: 'https://web-webhook-service.web-system.svc:443/x' })).toBe(
      `a: https://${full}-webhook-service.{{ .Release.Namespace }}.svc:443/x`,
    );
    expect(textOf({ a: 'up{job="web-webhook-service"}' })).toBe(`a: up{job="${full}-webhook-service"}`);
  });

  test('are texts for YAML whatever they are, and stand behind braces', () => {
    expect(textOf({ a: 'web-system' })).toBe('a: {{ .Release.Namespace | quote }}');
    expect(textOf({ a: '{web-webhook}', b: '{{{web-webhook}}}' })).toBe(
      `a: '{{ "{" }}${full}-webhook}'\nb: '{{ "{{" }}{{ "{" }}${full}-webhook}}}'`,
    );
  });

  test('stand in optional entries', () => {
    expect(textOf({ a: optional('if .Values.x', 'web-webhook-service') })).toBe(
      `{{- if .Values.x }}\na: ${full}-webhook-service\n{{- end }}`,
    );
  });

  test('are given to objects that the operator creates', () => {
    const names = new ReleaseNames([], {
      ...{ chart: 'web', operator: 'web', namespace: undefined },
      others: ['webhook-server-cert', 'web-certificate'],
    });
    expect(helmText(names.in({ a: 'webhook-server-cert', b: 'web-certificate' }))).toBe(
      `a: ${full}-webhook-server-cert\nb: ${full}-certificate`,
    );
  });

  test('leave images alone', () => {
    expect(textOf({ image: 'registry.example.com/web-webhook:v1' })).toBe(
      'image: registry.example.com/web-webhook:v1',
    );
  });

  test('a namespace whose name is a word is replaced only where a namespace is meant', () => {
    const tree = {
      metadata: { namespace: 'default' },
      args: ['--from=default'],
      host: 'web-webhook.default.svc',
      namespaceSelector: { matchNames: ['default', 'other'] },
    };
    expect(textOf(tree, 'default')).toBe(
      [
        'args:',
        '- --from=default',
        `host: ${full}-webhook.{{ .Release.Namespace }}.svc`,
        'metadata:',
        '  namespace: {{ .Release.Namespace | quote }}',
        'namespaceSelector:',
        '  matchNames:',
        '  - {{ .Release.Namespace | quote }}',
        '  - other',
      ].join('\n'),
    );
  });

  test('leave room for the endings of Services', () => {
    expect(namesIn('web-system').longest).toBe(28);
  });
});
