/* Colloquy testing: what the tests of plugins include, beside <colloquy.h>. */
#pragma once

#include <colloquy.h>

#include "clq-test-modality.h"
#include "clq-test-node.h"
#include "clq-test-store.h"
