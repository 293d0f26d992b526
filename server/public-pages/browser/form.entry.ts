console.log('form');
