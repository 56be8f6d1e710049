/**
 * The controllers: each method is one operation of the contract and does no more than call what does the work and shape
 * the answer. Errors are shaped here too, for every way in which a request can fail.
 */
@NullMarked
package dev.spur.service.api;

import org.jspecify.annotations.NullMarked;
