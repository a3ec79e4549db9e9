import { defineResource, type CustomResource, type Int32 } from 'opsdk';

/**
 * @cel self.metadata.name.size() <= 20 : "the name has at most 20 characters"
 */
export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  cel: [
    { rule: 'has(self.spec.size) || !has(oldSelf.spec.size)', message: 'size cannot be unset', reason: 'FieldValueForbidden', fieldPath: '.spec.size' },
    { rule: '!oldSelf.hasValue() || self == oldSelf.value()', messageExpression: '"nothing may change"', optionalOldSelf: true },
  ],
});
