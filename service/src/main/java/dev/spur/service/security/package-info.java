/**
 * Who calls and what a caller may do. Operations name the roles they want in the contract; how a request is resolved to a
 * principal is one interface, so that tokens can come without touching an operation.
 */
@NullMarked
package dev.spur.service.security;

import org.jspecify.annotations.NullMarked;
