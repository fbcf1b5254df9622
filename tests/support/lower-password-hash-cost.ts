import { newHashParameters } from '../../modules/accounts/passwords.ts'
import { CHEAP_ARGON2ID_PARAMETERS } from './password-hashes.ts'

// Vitest runs this file before each test file.
Object.assign(newHashParameters, CHEAP_ARGON2ID_PARAMETERS)
