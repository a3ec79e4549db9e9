import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist',
      '**/generated/**',
      'templates',
      'test/golden/**/types.ts',
      'test/golden/schema-libraries/error-*',
      'test/peers/controller-gen/kinds',
      'test/golden/projects',
      'test/fixtures',
    ],
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'examples/**/*.ts', 'vitest.config.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'exit',
          message: 'set process.exitCode in bin or main; libraries throw',
        },
      ],
    },
  },
  // A project in examples has a tsconfig.json of its own, which expects the package in its node_modules.
  {
    files: ['examples/**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, project: ['examples/tsconfig.json'] } },
  },
  // Any Node must be able to read it.
  {
    files: ['src/cli/{actions,commands}/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSAsExpression[expression.name=/^(?:options|parsed|flags|args)$/]',
          message:
            'the types of options and arguments follow from defineCommand; declare a flag or an argument instead',
        },
      ],
    },
  },
  { files: ['bin/*.js'], languageOptions: { ecmaVersion: 2020, sourceType: 'script' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-console': 'off',
      'max-lines': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
