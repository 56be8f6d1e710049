/**
 * The contract, openapi.yaml, at run time. Requests are validated against it before a controller runs, and absent
 * members get its defaults. This package defines the form of errors; controllers define the meaning of requests.
 */
@NullMarked
package dev.spur.service.web.contract;

import org.jspecify.annotations.NullMarked;
