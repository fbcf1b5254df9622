import { newHashParameters } from '../../modules/accounts/passwords.ts'

// Vitest runs this file before each test file.
Object.assign(newHashParameters, { memory: 64, passes: 1 })
