/**
 * Who calls, what a caller may do, and to what. Operations name the roles they want in the contract; how a request is
 * resolved to a principal, and who owns what, are interfaces here, so that the contract knows neither tokens nor
 * tables.
 */
@NullMarked
package dev.spur.service.security;

import org.jspecify.annotations.NullMarked;
