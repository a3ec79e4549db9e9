import { describe, expect, test } from 'vitest';
import {
  block,
  entries,
  included,
  Mixed,
  optional,
  scalar,
  helmText,
} from '../../../../src/project/chart/template-text.ts';

describe('the text of a template', () => {
  test('is the YAML of the tree where Helm fills in nothing', () => {
    expect(helmText({ b: [1, { c: 'x' }], a: 'yes' })).toBe('a: "yes"\nb:\n- 1\n- c: x');
  });

  test('has actions in place of scalars, and within texts', () => {
    const name = new Mixed([{ action: 'include "web.fullname" .' }, '-service']);
    expect(helmText({ replicas: scalar('.Values.replicas'), name })).toBe(
      'name: {{ include "web.fullname" . }}-service\nreplicas: {{ .Values.replicas }}',
    );
  });

  test('prints values as lines of their own, at the column of their place in the file', () => {
    const container = { resources: optional('with .Values.resources', block('toYaml .')) };
    expect(helmText({ spec: { containers: [{ args: ['a'], ...container }] } })).toBe(
      [
        'spec:',
        '  containers:',
        '  - args:',
        '    - a',
        '    {{- with .Values.resources }}',
        '    resources:',
        '      {{- toYaml . | nindent 6 }}',
        '    {{- end }}',
      ].join('\n'),
    );
  });

  test('has items and entries under a condition, and further ones', () => {
    const tree = {
      args: [optional('if .Values.x', '--x'), '--y', entries('.Values.extraArgs')],
      labels: { a: 'b', zz: included('include "web.labels" .') },
    };
    expect(helmText(tree)).toBe(
      [
        'args:',
        '{{- if .Values.x }}',
        '- --x',
        '{{- end }}',
        '- --y',
        '{{- with .Values.extraArgs }}',
        '{{- toYaml . | nindent 0 }}',
        '{{- end }}',
        'labels:',
        '  a: b',
        '  {{- include "web.labels" . | nindent 2 }}',
      ].join('\n'),
    );
  });

  test('keeps braces of the tree from Helm', () => {
    expect(helmText({ summary: '{{ $labels.pod }} fails' })).toBe(
      'summary: \'{{ "{{" }} $labels.pod }} fails\'',
    );
  });

  test('is not misled by texts that look like its own placeholders', () => {
    expect(helmText({ a: 'HELMPART0E', b: scalar('.Values.b') })).toBe('a: HELMPART0E\nb: {{ .Values.b }}');
  });

  test('refuses an optional entry that would take the dash of its item along', () => {
    expect(() => helmText([{ a: optional('if .Values.a', 1) }])).toThrow(
      'a: an optional entry cannot begin an item of a list',
    );
  });
});
