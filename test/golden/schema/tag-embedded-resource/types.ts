import type { CustomResource, JsonObject } from 'opsdk';

/** @embeddedResource */
interface Job {
  apiVersion: string;
  kind: string;
  metadata?: { labels?: Record<string, string> };
  spec: { image: string };
}

export interface Sample extends CustomResource {
  spec: {
    job?: Job;
    /** @embeddedResource */
    any?: JsonObject;
    /** @items.embeddedResource */
    objects?: JsonObject[];
    /**
     * @preserveUnknownFields
     * @embeddedResource
     */
    open?: Job;
  };
}
