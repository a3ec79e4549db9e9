import type { CustomResource, JsonObject, RawExtension } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** Whatever the plugin wants. */
    config: RawExtension;
    /** @minProperties 1 */
    raw?: JsonObject;
    configs: Record<string, RawExtension>;
    maybe: RawExtension | null;
  };
}
