/**
 * The contract, openapi.yaml, at run time: requests are held against it before a controller sees them, and what they
 * leave out takes the defaults stated there. Errors have one shape, which is defined here; what a request means is said
 * elsewhere.
 */
@NullMarked
package dev.spur.service.contract;

import org.jspecify.annotations.NullMarked;
