import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  labels: { 'a b': 'x', ok: 'not ok', 'A.example.com/x': 'y', 'a/b/c': 'z', '': '' },
  annotations: { 'a b': 'x', 'Example.com/Fine': 'any thing', '-x': '' },
});
