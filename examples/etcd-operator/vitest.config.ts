import { defineConfig } from 'vitest/config';

const integration = 'test/**/*.integration.test.ts';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [integration], testTimeout: 60_000 } },
      { test: { name: 'integration', include: [integration], testTimeout: 60_000 } },
    ],
  },
});
