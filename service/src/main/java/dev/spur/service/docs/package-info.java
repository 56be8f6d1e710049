/**
 * The API contract for users: {@code openapi.yaml} with examples of today, and pages that render it without access to
 * other machines.
 */
@NullMarked
package dev.spur.service.docs;

import org.jspecify.annotations.NullMarked;
