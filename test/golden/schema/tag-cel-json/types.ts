import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * @cel {"rule": "self.min <= self.max", "message": "min exceeds max", "reason": "FieldValueInvalid", "fieldPath": ".min"}
     * @cel {"rule": "self.min > 0", "messageExpression": "'min is %d'.format([self.min])"}
     * @cel {"rule": "self.max >= oldSelf.orValue(self).max", "optionalOldSelf": true, "message": "max cannot shrink"}
     * @cel {"rule": "!has(self.labels) || 'a' in self.labels", "fieldPath": ".labels['a']", "reason": "FieldValueRequired"}
     */
    range?: { min: Int32; max: Int32; labels?: Record<string, string> };
  };
}
