import type { Base64, CustomResource, DateTime, Duration } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @default 2026-01-02T15:04:05Z */
    time?: DateTime;
    /** @default 1h30m */
    duration?: Duration;
    /** @default aGVsbG8= */
    bytes?: Base64;
    /**
     * @format ipv4
     * @default 10.0.0.1
     */
    address?: string;
    /**
     * @format uuid
     * @default 123e4567-e89b-12d3-a456-426614174000
     */
    id?: string;
  };
}
