/** No standard fields in the schema and no status subresource: the probes have neither. */
export const bare = {
  group: 'probe.example.com',
  kind: 'Foo',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
  status: false,
} as const;
