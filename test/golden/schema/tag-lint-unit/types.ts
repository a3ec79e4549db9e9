import type { CustomResource, Duration, Int32, Int64, Integer } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    timeout?: Int32;
    pollInterval?: Int64;
    maxAge?: Integer;
    ttl?: Int32;
    TTL?: Int32;
    cacheTTL?: Int32;
    /** @format int32 */
    gracePeriod?: number;
    timeoutSeconds?: Int32;
    intervalMilliseconds?: Int32;
    timeoutText?: string;
    usage?: Int32;
    delay?: Duration;
  };
}
