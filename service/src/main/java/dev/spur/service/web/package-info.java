/**
 * HTTP server: conversion of each failed request into a problem (RFC 9457), and limits of the connectors. Controllers
 * are in the packages of their resources.
 */
@NullMarked
package dev.spur.service.web;

import org.jspecify.annotations.NullMarked;
