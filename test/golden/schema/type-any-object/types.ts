import type { AnyObject, CustomResource, RawExtension } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** Whatever the plugin wants. */
    config: AnyObject;
    /** @minProperties 1 */
    raw?: RawExtension;
    configs: Record<string, AnyObject>;
    maybe: AnyObject | null;
  };
}
