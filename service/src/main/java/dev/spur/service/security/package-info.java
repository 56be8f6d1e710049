/**
 * Principals, roles and scopes. The contract states the roles that each operation requires. How a request is resolved
 * to a principal, and which tenant owns a resource, are interfaces here. The contract therefore depends on neither
 * tokens nor tables.
 */
@NullMarked
package dev.spur.service.security;

import org.jspecify.annotations.NullMarked;
