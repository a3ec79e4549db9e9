import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  cel: [
    // @ts-expect-error no rule
    { message: 'x' },
    { rule: '' },
    { rule: 'self.spec.size > 1', message: 'two\nlines' },
    // @ts-expect-error not a reason
    { rule: 'self.spec.size > 1', reason: 'Invalid' },
    { rule: 'self.spec.size > 1', optionalOldSelf: true },
    // @ts-expect-error not a text
    { rule: true },
    // @ts-expect-error unknown
    { rule: 'true', mesage: 'x' },
  ],
});
